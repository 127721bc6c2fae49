// What all kinds do that have a pod template in their spec.
import { FieldPath } from '../../../machinery/field.ts';
import type { PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { dropDisabledTemplateFields } from '../pod-spec/disabled-fields.ts';
import { podTemplateValidationOptions } from '../pod-spec/options.ts';
import type { PodValidationOptions } from '../pod-spec/options.ts';
import { podTemplateWarnings } from '../pod-spec/warnings.ts';

export interface HasTemplate extends KubeObject {
  spec: { template: PodTemplateSpec };
}

export const templatePath = FieldPath.root('spec', 'template');

export function dropDisabled({ spec }: HasTemplate, old: HasTemplate | undefined, { features }: WriteContext): void {
  dropDisabledTemplateFields(spec.template, old?.spec.template, features);
}

export function templateOptions({ spec }: HasTemplate, old: HasTemplate | undefined, context: WriteContext): PodValidationOptions {
  return podTemplateValidationOptions(context, spec.template, old?.spec.template);
}

export function templateWarnings({ spec }: HasTemplate, { features }: WriteContext): string[] {
  return podTemplateWarnings(spec.template, templatePath, features);
}

/** Only who changes the spec hears about it. */
export function updateWarnings(object: HasTemplate, old: HasTemplate, context: WriteContext): string[] {
  return object.metadata.generation === old.metadata.generation ? [] : templateWarnings(object, context);
}
