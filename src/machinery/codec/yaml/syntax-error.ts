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

const tooDeep = /maxDepth/;

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
  [tooDeep, { message: 'exceeded max depth of 10000', stage: 'scanner' }],
  [/multiline key/, { message: `could not find expected ':'`, stage: 'scanner' }],
  [/bad indentation of a sequence entry/, { message: `did not find expected '-' indicator`, stage: 'parser' }],
  [/indentation width of a block scalar/, { message: 'found an indentation indicator equal to 0', stage: 'scanner' }],
  [/duplication of %YAML/, { message: 'found duplicate %YAML directive', stage: 'parser' }],
  [/a line break is expected/, { message: 'did not find expected comment or line break', stage: 'scanner' }],
];

export function isTooDeep({ reason }: YAMLException): boolean {
  return tooDeep.test(reason);
}

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
  const open = openAt(text, position);
  if (open === 'quote') return { message: 'found unexpected end of stream', stage: 'scanner', atEnd: true };
  if (open !== undefined) return flowProblem(text, position, open);
  const character = text[position] ?? '';
  if (/tab characters/.test(reason) || character === '\t') return tabProblem(text.slice(0, position).trimEnd());
  if (character !== '' && '@`%'.includes(character)) return { message: cannotStart, stage: 'scanner' };
  if (character === ':') return { message: 'mapping values are not allowed in this context', stage: 'scanner' };
  const rest = text.slice(position, text.indexOf('\n', position) + 1 || text.length);
  if (/^-(?:\s|$)/.test(rest)) {
    const startsLine = /(?:^|\n) *$/.test(text.slice(0, position));
    if (startsLine) return { message: 'did not find expected key', stage: 'parser' };
    return { message: 'block sequence entries are not allowed in this context', stage: 'scanner' };
  }
  if (/document separator/.test(reason)) return { message: `could not find expected ':'`, stage: 'scanner', atEnd: true };
  return { message: 'did not find expected key', stage: 'parser' };
}

function tabProblem(before: string): Problem {
  if (/[|>][-+\d]*$/.test(before)) return { message: 'found a tab character where an indentation space is expected', stage: 'scanner' };
  // after a plain scalar the line could have continued it
  const afterPlain = before !== '' && !/[:\-\]}"']$/.test(before);
  return { message: afterPlain ? 'found a tab character that violates indentation' : cannotStart, stage: 'scanner' };
}

/** The quote or bracket that is still open at a position, as far as one can tell without parsing. */
function openAt(text: string, position: number): 'quote' | '[' | '{' | undefined {
  const brackets: ('[' | '{')[] = [];
  for (let at = 0; at < position; at++) {
    const character = text[at]!;
    const startsToken = at === 0 || /[\s[{,:]/.test(text[at - 1]!);
    if (character === '#' && startsToken) at = nextLine(text, at);
    else if ((character === '"' || character === "'") && startsToken) {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return 'quote';
      at = end;
    } else if ((character === '[' || character === '{') && (startsToken || brackets.length > 0)) brackets.push(character);
    else if (character === ']' || character === '}') brackets.pop();
  }
  return brackets.at(-1);
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const cannotStart = 'found character that cannot start any token';

function flowProblem(text: string, position: number, open: '[' | '{'): Problem {
  const atEnd = position >= text.trimEnd().length;
  if (atEnd && /[[{,]\s*$/.test(text.slice(0, position))) return { message: 'did not find expected node content', stage: 'parser', atEnd };
  return { message: `did not find expected ',' or '${open === '{' ? '}' : ']'}'`, stage: 'parser', atEnd };
}

/** Zero is not shown: upstream takes it for "no line". */
function lineOf(text: string, { stage, atEnd = false }: Problem, position: number): number {
  const upTo = atEnd ? text : text.slice(0, position);
  let line = upTo.split('\n').length - 1;
  // the end of the stream is a line of its own
  if (atEnd && !text.endsWith('\n')) line++;
  return stage === 'scanner' && line > 0 ? line + 1 : line;
}
