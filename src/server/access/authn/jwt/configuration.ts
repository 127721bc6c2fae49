// Upstream: k8s.io/apiserver/pkg/apis/apiserver/v1/types.go#AuthenticationConfiguration
import type { Shape } from '../../../../machinery/strict-shape.ts';
import { readConfiguration } from '../../../object/configuration-file.ts';

export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtConfiguration[] | null;
  readonly anonymous?: AnonymousConfiguration | null;
}

export interface AnonymousConfiguration {
  readonly enabled?: boolean;
  /** where requests without credentials are let in; none: everywhere */
  readonly conditions?: readonly { readonly path?: string }[];
}

/** One issuer of tokens, and what its claims mean. */
export interface JwtConfiguration {
  readonly issuer?: IssuerConfiguration;
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[];
}

export interface IssuerConfiguration {
  readonly url?: string;
  readonly discoveryURL?: string;
  /** PEM */
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface ClaimOrExpression {
  readonly claim?: string;
  readonly expression?: string;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix?: string;
}

export interface ClaimMappings {
  readonly username?: PrefixedClaimOrExpression;
  readonly groups?: PrefixedClaimOrExpression;
  readonly uid?: ClaimOrExpression;
  readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

export interface UserValidationRule {
  readonly expression?: string;
  readonly message?: string;
}

const strings = (...names: string[]): Record<string, Shape> => Object.fromEntries(names.map((name) => [name, 'string']));
const prefixed: Shape = { name: 'PrefixedClaimOrExpression', fields: strings('claim', 'prefix', 'expression') };

const shape: Readonly<Record<string, Shape>> = {
  jwt: {
    list: {
      name: 'JWTAuthenticator',
      fields: {
        issuer: {
          name: 'Issuer',
          fields: {
            ...strings('url', 'discoveryURL', 'certificateAuthority', 'audienceMatchPolicy', 'egressSelectorType'),
            audiences: { list: 'string' },
          },
        },
        claimValidationRules: { list: { name: 'ClaimValidationRule', fields: strings('claim', 'requiredValue', 'expression', 'message') } },
        claimMappings: {
          name: 'ClaimMappings',
          fields: {
            username: prefixed,
            groups: prefixed,
            uid: { name: 'ClaimOrExpression', fields: strings('claim', 'expression') },
            extra: { list: { name: 'ExtraMapping', fields: strings('key', 'valueExpression') } },
          },
        },
        userValidationRules: { list: { name: 'UserValidationRule', fields: strings('expression', 'message') } },
      },
    },
  },
  anonymous: {
    name: 'AnonymousAuthConfig',
    fields: { enabled: 'bool', conditions: { list: { name: 'AnonymousAuthCondition', fields: strings('path') } } },
  },
};

/** Throws when the text is no such configuration; whether it makes sense is another question. */
export function readAuthenticationConfiguration(text: string): AuthenticationConfiguration {
  if (text === '') throw new Error('empty config data');
  return readConfiguration(text, 'AuthenticationConfiguration', shape) as AuthenticationConfiguration;
}
