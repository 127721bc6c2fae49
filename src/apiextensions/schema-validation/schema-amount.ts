import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, tooMany } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { schemasIn } from './schema-walk.ts';

/**
 * How much of a definition may have to be compiled, all versions together. Upstream has no such limits. Both are compiled in one go, when
 * the definition is written and again when it is served, and no other request is served meanwhile.
 */
const mostRules = 2000;
const mostPatterns = 4000;
const mostText = 128 * 1024;

/** A definition with more rules or patterns than can be compiled in a moment. */
export function validateAmount(schemas: readonly JSONSchemaProps[], path: FieldPath): FieldError[] {
  let rules = 0;
  let patterns = 0;
  let text = 0;
  for (const schema of schemas) {
    for (const { pattern, 'x-kubernetes-validations': validations } of schemasIn(schema)) {
      if (pattern) patterns++;
      text += pattern?.length ?? 0;
      for (const { rule, messageExpression } of validations ?? []) {
        rules++;
        text += rule.length + (messageExpression?.length ?? 0);
      }
    }
  }
  if (rules > mostRules) return [tooMany(path.child('x-kubernetes-validations'), rules, mostRules)];
  if (patterns > mostPatterns) return [tooMany(path.child('pattern'), patterns, mostPatterns)];
  return text > mostText ? [forbidden(path, `rules and patterns of a definition may have ${mostText} characters, these have ${text}`)] : [];
}
