// Upstream: plugin/pkg/admission/alwayspullimages/admission.go
import { invalid } from '../../machinery/errors.ts';
import { FieldPath, notSupported } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { concerns } from '../common/concerns.ts';

const fields = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Nobody runs an image that somebody else pulled: every start asks the registry again. */
export const alwaysPullImages = definePlugin({
  name: 'AlwaysPullImages',
  enabledByDefault: false,
  create: () => ({
    handles: (attributes) => (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE') && concerns(attributes, '', 'pods'),
    mutate({ object }) {
      const { spec } = object as unknown as Pod;
      for (const field of fields) for (const container of spec[field] ?? []) container.imagePullPolicy = 'Always';
    },
    validate({ object, resource, name }) {
      const { spec } = object as unknown as Pod;
      const errors = fields.flatMap((field) =>
        (spec[field] ?? []).flatMap(({ imagePullPolicy }, index): FieldError[] => {
          if (imagePullPolicy === 'Always') return [];
          return [notSupported(FieldPath.root('spec', field).index(index).child('imagePullPolicy'), imagePullPolicy, ['Always'])];
        }),
      );
      if (errors.length > 0) throw invalid(resource, name, errors);
    },
  }),
});
