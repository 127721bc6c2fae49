// Writes what a server stores of the objects that every cluster has.
import { writeFileSync } from 'node:fs';
import { bootstrapForms, formsSource } from './bootstrap-forms.ts';

const forms = await bootstrapForms();
writeFileSync(new URL('../../src/controlplane/bootstrap/bootstrap-objects.generated.ts', import.meta.url), formsSource(forms));
console.log(`${forms.length} objects that every cluster has`);
