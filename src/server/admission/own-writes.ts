import type { OwnWrite, OwnWriteAdmission } from '../registry/server-writer.ts';
import type { Admission, AdmissionAttributes } from './admission.ts';

/** Admission of what the server itself writes. It waits until plugins know what they decide by: such writes begin before the server is ready. */
export function admissionOfOwnWrites(admission: Admission): OwnWriteAdmission {
  let ready: Promise<void> | undefined;
  const whenReady = async (): Promise<void> => {
    ready ??= admission.ready();
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };
  return {
    mutate: async (write) => {
      await whenReady();
      const attributes = attributesOf(write);
      await admission.mutate(attributes);
      write.object = attributes.object;
    },
    validate: (write) => admission.validate(attributesOf(write)),
  };
}

function attributesOf({ operation, resource, context, object, old }: OwnWrite): AdmissionAttributes {
  const { version, subresource, namespace, name, user, dryRun } = context;
  return {
    operation,
    resource,
    version,
    versionedKind: resource.storage,
    subresource,
    namespace,
    name,
    object,
    old,
    user,
    dryRun,
    options: {},
    warn: () => {},
    annotate: () => {},
  };
}
