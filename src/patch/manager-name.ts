// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/create.go#managerOrUserAgent

/** Longest name of a field manager, in bytes of UTF-8. */
export const fieldManagerMaxLength = 128;

const plainName = /^[ -~]*$/;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The field manager that a request names, or else the name of the program that sent it. */
export function managerOrUserAgent(manager: string, userAgent: string): string {
  return manager === '' ? nameOfUserAgent(userAgent) : manager;
}

function nameOfUserAgent(userAgent: string): string {
  const slash = userAgent.indexOf('/');
  const program = slash < 0 ? userAgent : userAgent.slice(0, slash);
  if (program.length <= fieldManagerMaxLength && plainName.test(program)) return program;
  let name = '';
  let length = 0;
  for (const character of program) {
    if (!printable.test(character)) continue;
    const code = character.codePointAt(0)!;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (length > fieldManagerMaxLength) break;
    name += character;
  }
  return name;
}
