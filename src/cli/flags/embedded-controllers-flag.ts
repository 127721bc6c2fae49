import type { ControllerChoice } from '../../controlplane/controller-names.ts';
import { controllerNames, isControllerName } from '../../controlplane/controller-names.ts';
import type { Flag, FlagKind } from './flag.ts';

/** true, false, or names */
const kind: FlagKind<ControllerChoice> = {
  word: 'names',
  parse(text) {
    if (text === 'true' || text === 'false') return text === 'true';
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !isControllerName(name));
    if (unknown.length > 0) throw new Error(`there is no controller ${unknown.join(', ')}; there are ${controllerNames.join(', ')}`);
    return names.filter(isControllerName);
  },
  show: (value) => (value === false ? '' : String(value)),
  bare: 'true',
};

export const embeddedControllers = (help: string): Flag<ControllerChoice> => ({ kind, fallback: false, help });
