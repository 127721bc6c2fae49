// Upstream: k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go#ValidateAuthenticationConfiguration
import { withoutTrailing } from '../../../../base/trailing.ts';
import { X509Certificate } from 'node:crypto';
import type { FieldError } from '../../../../machinery/field.ts';
import { FieldPath, LiteralValue, duplicate, invalid, required, tooMany } from '../../../../machinery/field.ts';
import { goJson } from '../../../../machinery/go-format.ts';
import { validateDomainPrefixedPath } from '../../../../machinery/qualified-names.ts';
import type { JwtExpression } from './claim-expressions.ts';
import { compileExpression, usesClaim } from './claim-expressions.ts';
import type {
  AuthenticationConfiguration,
  ClaimMappings,
  IssuerConfiguration,
  JwtConfiguration,
  PrefixedClaimOrExpression,
} from './configuration.ts';

const maxIssuers = 64;
const emailNeedsVerification =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** The expressions of a configuration, ready to be evaluated. */
export interface JwtExpressions {
  username?: JwtExpression;
  groups?: JwtExpression;
  uid?: JwtExpression;
  readonly extra: { readonly key: string; readonly value: JwtExpression }[];
  readonly claimRules: { readonly rule: JwtExpression; readonly message: string }[];
  readonly userRules: { readonly rule: JwtExpression; readonly message: string }[];
}

/** What a configuration says, checked. Errors are collected, and what is right is compiled all the same. */
export class JwtValidation {
  readonly errors: FieldError[] = [];

  configuration({ jwt, anonymous }: AuthenticationConfiguration): this {
    const root = FieldPath.root('jwt');
    const issuers = jwt ?? [];
    if (issuers.length > maxIssuers) {
      this.errors.push(tooMany(root, issuers.length, maxIssuers));
      return this;
    }
    const [urls, discoveryUrls] = [new Set<string>(), new Set<string>()];
    issuers.forEach((one, i) => {
      const path = root.index(i);
      this.issuerAndClaims(one, (name) => path.child(name), []);
      const { url = '', discoveryURL = '' } = one.issuer ?? {};
      if (urls.has(url)) this.errors.push(duplicate(path.child('issuer', 'url'), url));
      urls.add(url);
      if (discoveryURL !== '' && discoveryUrls.has(discoveryURL)) {
        this.errors.push(duplicate(path.child('issuer', 'discoveryURL'), discoveryURL));
      }
      discoveryUrls.add(discoveryURL);
    });
    const conditions = anonymous?.conditions ?? [];
    if (anonymous && anonymous.enabled !== true && conditions.length > 0) {
      const shown = new LiteralValue(goJson(conditions.map(({ path = '' }) => ({ Path: path }))));
      this.errors.push(
        invalid(FieldPath.root('anonymous', 'conditions'), shown, 'enabled should be set to true when conditions are defined'),
      );
    }
    return this;
  }

  /** `at` gives the place of a part. */
  issuerAndClaims(jwt: JwtConfiguration, at: (name: string) => FieldPath, disallowed: readonly string[]): JwtExpressions {
    const expressions: JwtExpressions = { extra: [], claimRules: [], userRules: [] };
    this.#issuer(jwt.issuer ?? {}, at('issuer'), disallowed);
    this.#claimRules(jwt, at('claimValidationRules'), expressions);
    this.#mappings(jwt.claimMappings ?? {}, at('claimMappings'), expressions);
    this.#userRules(jwt, at('userValidationRules'), expressions);
    return expressions;
  }

  #issuer(issuer: IssuerConfiguration, path: FieldPath, disallowed: readonly string[]): void {
    const { url = '', discoveryURL = '', audiences = [], audienceMatchPolicy: policy = '', egressSelectorType: egress = '' } = issuer;
    if (url === '') this.errors.push(required(path.child('url'), ''));
    else this.#url(url, path.child('url'), disallowed);
    if (discoveryURL !== '') {
      const place = path.child('discoveryURL');
      if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL)) {
        this.errors.push(invalid(place, discoveryURL, 'discoveryURL must be different from URL'));
      }
      this.#url(discoveryURL, place, []);
    }
    this.#audiences(audiences, policy, path);
    const authority = issuer.certificateAuthority ?? '';
    if (authority !== '' && !holdsCertificates(authority)) {
      const why = 'data does not contain any valid RSA or ECDSA certificates';
      this.errors.push(invalid(path.child('certificateAuthority'), '<omitted>', why));
    }
    if (egress !== '' && egress !== 'controlplane' && egress !== 'cluster') {
      const why = 'egress selector must be either controlplane or cluster';
      this.errors.push(invalid(path.child('egressSelectorType'), egress, why));
    }
  }

  #url(text: string, path: FieldPath, disallowed: readonly string[]): void {
    if (disallowed.includes(text)) {
      this.errors.push(invalid(path, text, `URL must not overlap with disallowed issuers: [${disallowed.toSorted().join(' ')}]`));
    }
    const [, scheme = '', authority = '', query = '', fragment = ''] =
      /^(?:([a-zA-Z][\w+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
    if (scheme.toLowerCase() !== 'https') this.errors.push(invalid(path, text, 'URL scheme must be https'));
    if (authority.includes('@')) this.errors.push(invalid(path, text, 'URL must not contain a username or password'));
    if (query.length > 1) this.errors.push(invalid(path, text, 'URL must not contain a query'));
    if (fragment.length > 1) this.errors.push(invalid(path, text, 'URL must not contain a fragment'));
  }

  #audiences(audiences: readonly string[], policy: string, path: FieldPath): void {
    const list = path.child('audiences');
    if (audiences.length === 0) {
      this.errors.push(required(list, `at least one ${list.toString()} is required`));
      return;
    }
    audiences.forEach((audience, i) => {
      if (audience === '') this.errors.push(required(list.index(i), ''));
      if (audiences.indexOf(audience) < i) this.errors.push(duplicate(list.index(i), audience));
    });
    if (policy === 'MatchAny') return;
    const place = path.child('audienceMatchPolicy');
    if (audiences.length > 1) this.errors.push(invalid(place, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
    else if (policy !== '') this.errors.push(invalid(place, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'));
  }

  #claimRules({ claimValidationRules: rules = [] }: JwtConfiguration, path: FieldPath, into: JwtExpressions): void {
    const [claims, expressions] = [new Set<string>(), new Set<string>()];
    rules.forEach(({ claim = '', requiredValue = '', expression = '', message = '' }, i) => {
      const place = path.index(i);
      if (claim !== '' && expression !== '') this.errors.push(invalid(place, claim, "claim and expression can't both be set"));
      else if (claim !== '') {
        if (message !== '') this.errors.push(invalid(place.child('message'), message, 'may not be specified when claim is set'));
        if (claims.has(claim)) this.errors.push(duplicate(place.child('claim'), claim));
        claims.add(claim);
      } else if (expression !== '') {
        if (requiredValue !== '') {
          this.errors.push(invalid(place.child('requiredValue'), requiredValue, 'may not be specified when expression is set'));
        }
        if (expressions.has(expression)) this.errors.push(duplicate(place.child('expression'), expression));
        else {
          const rule = this.#compiled(expression, 'claims', true, place.child('expression'));
          if (rule !== undefined) into.claimRules.push({ rule, message });
        }
        expressions.add(expression);
      } else this.errors.push(required(place, 'claim or expression is required'));
    });
  }

  #mappings(mappings: ClaimMappings, path: FieldPath, into: JwtExpressions): void {
    const username = this.#prefixed(mappings.username ?? {}, path.child('username'), true);
    if (username !== undefined) into.username = username;
    const groups = this.#prefixed(mappings.groups ?? {}, path.child('groups'), false);
    if (groups !== undefined) into.groups = groups;
    const { claim = '', expression = '' } = mappings.uid ?? {};
    if (claim !== '' && expression !== '') this.errors.push(invalid(path.child('uid'), '', "claim and expression can't both be set"));
    else if (expression !== '') {
      const uid = this.#compiled(expression, 'claims', false, path.child('uid', 'expression'));
      if (uid !== undefined) into.uid = uid;
    }
    this.#extra(mappings, path.child('extra'), into);
    const rules = [username, ...into.extra.map(({ value }) => value), ...into.claimRules.map(({ rule }) => rule)];
    if (username !== undefined && usesClaim(username, 'email') && !rules.some((one) => one && usesClaim(one, 'email_verified'))) {
      this.errors.push(invalid(path.child('username', 'expression'), username.expression, emailNeedsVerification));
    }
  }

  #prefixed(
    { claim = '', expression = '', prefix }: PrefixedClaimOrExpression,
    path: FieldPath,
    isRequired: boolean,
  ): JwtExpression | undefined {
    if (expression !== '' && claim !== '') this.errors.push(invalid(path, '', "claim and expression can't both be set"));
    else if (expression !== '') {
      const isPrefixed = prefix !== undefined && prefix !== null;
      if (isPrefixed) this.errors.push(invalid(path.child('prefix'), prefix, 'may not be specified when expression is set'));
      const compiled = this.#compiled(expression, 'claims', false, path.child('expression'));
      return isPrefixed ? undefined : compiled;
    } else if (claim === '') {
      if (isRequired) this.errors.push(required(path, 'claim or expression is required'));
    } else if (prefix === undefined || prefix === null) {
      this.errors.push(
        required(path.child('prefix'), 'prefix is required when claim is set. It can be set to an empty string to disable prefixing'),
      );
    }
    return undefined;
  }

  #extra({ extra = [] }: ClaimMappings, path: FieldPath, into: JwtExpressions): void {
    const keys = new Set<string>();
    extra.forEach(({ key = '', valueExpression = '' }, i) => {
      const place = path.index(i).child('key');
      this.errors.push(...validateDomainPrefixedPath(key, place));
      if (key !== key.toLowerCase()) this.errors.push(invalid(place, key, 'must be lowercase'));
      if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)) {
        this.errors.push(invalid(place, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
      }
      if (keys.has(key)) {
        this.errors.push(duplicate(place, key));
        return;
      }
      keys.add(key);
      const valuePath = path.index(i).child('valueExpression');
      if (valueExpression === '') this.errors.push(required(valuePath, ''));
      else {
        const value = this.#compiled(valueExpression, 'claims', false, valuePath);
        if (value !== undefined) into.extra.push({ key, value });
      }
    });
  }

  #userRules({ userValidationRules: rules = [] }: JwtConfiguration, path: FieldPath, into: JwtExpressions): void {
    const seen = new Set<string>();
    rules.forEach(({ expression = '', message = '' }, i) => {
      const place = path.index(i).child('expression');
      if (expression === '') this.errors.push(required(place, ''));
      else if (seen.has(expression)) this.errors.push(duplicate(place, expression));
      else {
        const rule = this.#compiled(expression, 'user', true, place);
        if (rule !== undefined) into.userRules.push({ rule, message });
      }
      seen.add(expression);
    });
  }

  #compiled(expression: string, variable: 'claims' | 'user', isRule: boolean, path: FieldPath): JwtExpression | undefined {
    const compiled = compileExpression(expression, variable, isRule, path);
    if ('program' in compiled) return compiled;
    this.errors.push(compiled);
    return undefined;
  }
}

function withoutSlashes(url: string): string {
  return withoutTrailing(url, '/');
}

function holdsCertificates(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0;
  } catch {
    return false; // one that cannot be read spoils the bundle
  }
}
