// Upstream: go.yaml.in/yaml/v2 scannerc.go and parserc.go
import type { YAMLException } from 'js-yaml';
import { DecodeError } from '../decode-error.ts';

/** Where an error was noticed decides which line upstream counts: scanner errors from one, parser errors from zero. */
type Stage = 'scanner' | 'parser';

interface Problem {
  readonly message: string;
  readonly stage: Stage;
  /** noticed only at the end of the stream */
  readonly atEnd?: boolean;
}

const fixed: readonly (readonly [reason: RegExp, problem: Problem])[] = [
  [/end of the stream within a (?:single|double) quoted/, { message: 'found unexpected end of stream', stage: 'scanner' }],
  [/end of the document within a/, { message: 'found unexpected document indicator', stage: 'scanner' }],
  [/unknown escape sequence/, { message: 'found unknown escape character', stage: 'scanner' }],
  [/expected hexadecimal character/, { message: 'did not find expected hexdecimal number', stage: 'scanner' }],
  [/undeclared tag handle/, { message: 'found undefined tag handle', stage: 'parser' }],
  [
    /anchor node must contain|alias node must contain/,
    { message: 'did not find expected alphabetic or numeric character', stage: 'scanner' },
  ],
  [/maxDepth/, { message: 'exceeded max depth of 10000', stage: 'scanner' }],
  [/multiline key/, { message: `could not find expected ':'`, stage: 'scanner', atEnd: true }],
  [/bad indentation of a sequence entry/, { message: `did not find expected '-' indicator`, stage: 'parser' }],
  [/indentation width of a block scalar/, { message: 'found an indentation indicator equal to 0', stage: 'scanner' }],
  [/duplication of %YAML/, { message: 'found duplicate %YAML directive', stage: 'parser' }],
  [/a line break is expected/, { message: 'did not find expected comment or line break', stage: 'scanner' }],
];

/** What js-yaml found wrong, in upstream's words as far as the two see the same thing. */
export function syntaxError(text: string, error: YAMLException): DecodeError {
  const position = error.mark?.position ?? 0;
  if (/non-printable|JSON character/.test(error.reason))
    return new DecodeError('yaml: control characters are not allowed', { cause: error });
  const problem = fixed.find(([reason]) => reason.test(error.reason))?.[1] ?? problemAt(text, position, error.reason);
  const line = lineOf(text, problem, position);
  return new DecodeError(`yaml: ${line === 0 ? '' : `line ${line}: `}${problem.message}`, { cause: error });
}

function problemAt(text: string, position: number, reason: string): Problem {
  if (/flow collection|missed comma|found ','/.test(reason)) return flowProblem(text, position);
  const character = text[position] ?? '';
  if (/tab characters/.test(reason) || character === '\t') {
    // after a plain scalar the line could have continued it
    const before = text.slice(0, position).trimEnd();
    return { message: /[:-]$/.test(before) ? cannotStart : 'found a tab character that violates indentation', stage: 'scanner' };
  }
  if (character !== '' && '@`%'.includes(character)) return { message: cannotStart, stage: 'scanner' };
  if (character === ':') return { message: 'mapping values are not allowed in this context', stage: 'scanner' };
  if (/^-(?:\s|$)/.test(text.slice(position, position + 2))) {
    return { message: 'block sequence entries are not allowed in this context', stage: 'scanner' };
  }
  if (/document separator/.test(reason)) return { message: `could not find expected ':'`, stage: 'scanner', atEnd: true };
  return { message: 'did not find expected key', stage: 'parser' };
}

const cannotStart = 'found character that cannot start any token';

function flowProblem(text: string, position: number): Problem {
  const before = text.slice(0, position);
  const atEnd = position >= text.trimEnd().length;
  if (/[[{,]\s*$/.test(before) && atEnd) return { message: 'did not find expected node content', stage: 'parser', atEnd };
  const open = before.lastIndexOf('{') > before.lastIndexOf('[') ? '}' : ']';
  return { message: `did not find expected ',' or '${open}'`, stage: 'parser', atEnd };
}

/** Zero is not shown: upstream takes it for "no line". */
function lineOf(text: string, { stage, atEnd = false }: Problem, position: number): number {
  const upTo = atEnd ? text : text.slice(0, position);
  let line = upTo.split('\n').length - 1;
  // the end of the stream is a line of its own
  if (atEnd && !text.endsWith('\n')) line++;
  return stage === 'scanner' && line > 0 ? line + 1 : line;
}
