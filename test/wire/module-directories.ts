import { locateModules } from '../../tools/generate/modules.ts';
import type { ModuleDirectories } from '../../tools/generate/modules.ts';

/** The modules that main.ts found; a test that is run alone finds them itself. */
export function moduleDirectories(): ModuleDirectories {
  const given = process.env['KUBERNETES_MODULES'];
  return given === undefined ? locateModules() : (JSON.parse(given) as ModuleDirectories);
}
