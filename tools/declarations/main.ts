// npm run build: types of the package, for ES modules and for CommonJS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCommonJs, bundleDeclarations } from './bundle.ts';

const dist = join(import.meta.dirname, '../../dist');
mkdirSync(dist, { recursive: true });
for (const [name, text] of Object.entries(bundleDeclarations())) {
  writeFileSync(join(dist, `${name}.d.ts`), text);
  writeFileSync(join(dist, `${name}.d.cts`), asCommonJs(text));
  console.error(`wrote dist/${name}.d.ts, ${Math.round(text.length / 1024)} kB`);
}
