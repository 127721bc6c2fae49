// Upstream: github.com/google/cel-go/ext/bindings.go

import { MacroError } from '../builder.ts';
import type { Library } from '../declarations.ts';

/** `cel.bind(name, value, expression)`. */
export const bindingsLibrary: Library = {
  name: 'bindings',
  macros: [
    {
      name: 'bind',
      isReceiver: true,
      argCount: 3,
      expand: (build, target, [variable, value, body]) => {
        if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
        if (variable!.kind !== 'ident') return new MacroError(variable!, 'cel.bind() variable names must be simple identifiers');
        return build.fold(build.list(), ['#unused'], variable!.name, {
          init: value!,
          condition: build.literal(false),
          step: build.ident(variable!.name),
          result: body!,
        });
      },
    },
  ],
};
