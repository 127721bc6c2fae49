// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#validateCustomResourceConversion
import { append } from '../../machinery/append.ts';
import { validateClientConfig } from '../../apis/common/admission-rules/client-config.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, invalid, notSupported, required } from '../../machinery/field.ts';
import { checkDns1035Label } from '../../machinery/names.ts';
import type { CustomResourceConversion } from '../../schema/types/apiextensions-v1.ts';
import type { ValidationOptions } from '../schema-validation/validation-options.ts';
import { isRecognizedReviewVersion } from '../schema-validation/validation-options.ts';
import { caBundleProblem } from '../conditions/ca-bundle.ts';

const strategies = ['None', 'Webhook'];

export function validateConversion(conversion: CustomResourceConversion, options: ValidationOptions, path: FieldPath): FieldError[] {
  const { strategy, webhook } = conversion;
  const at = path.child('strategy');
  const errors: FieldError[] = [];
  if (!strategy) errors.push(required(at, ''));
  else if (!strategies.includes(strategy)) errors.push(notSupported(at, strategy, strategies));
  if (strategy === 'Webhook') {
    const { clientConfig } = webhook ?? {};
    const clientPath = path.child('webhookClientConfig');
    if (clientConfig === undefined) errors.push(required(clientPath, 'required when strategy is set to Webhook'));
    else {
      append(errors, validateClientConfig(clientConfig, clientPath));
      const problem = options.allowInvalidCaBundle ? undefined : caBundleProblem(clientConfig.caBundle);
      if (problem !== undefined) errors.push(invalid(clientPath.child('caBundle'), clientConfig.caBundle, problem));
    }
    const versions = webhook?.conversionReviewVersions ?? [];
    append(errors, validateReviewVersions(versions, options.requireRecognizedReviewVersion, path.child('conversionReviewVersions')));
    return errors;
  }
  const message = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) errors.push(forbidden(path.child('webhookClientConfig'), message));
  if ((webhook?.conversionReviewVersions ?? []).length > 0) errors.push(forbidden(path.child('conversionReviewVersions'), message));
  return errors;
}

function validateReviewVersions(versions: readonly string[], requireRecognized: boolean, path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path, '')];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalid(path.index(i), version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const fault of checkDns1035Label(version)) errors.push(invalid(path.index(i), version, fault));
  }
  if (requireRecognized && !versions.some(isRecognizedReviewVersion))
    errors.push(invalid(path, versions, 'must include at least one of v1, v1beta1'));
  return errors;
}
