import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { serverFlags } from './flags/index.ts';
import { openLog, validateLogging } from './logging.ts';
import { parseFlags } from './parse-flags.ts';

const alpha = '--feature-gates=LoggingAlphaOptions=true';

function problems(...args: readonly string[]): string[] {
  const { values } = parseFlags(serverFlags, args);
  return validateLogging(values, createFeatureGates(values['feature-gates']).gates);
}

// As the real server says it.
const forbidden = 'Forbidden: Feature LoggingAlphaOptions is disabled';
for (const [args, expected] of [
  [[], []],
  [['--logging-format=json', '--log-flush-frequency=1ms', '-v=10'], []],
  [['--logging-format=xml'], ['format: Invalid value: "xml": Unsupported log format']],
  [['--log-flush-frequency=-1s'], ['flushFrequency: Invalid value: "-1s": Must be greater than zero']],
  [['--logging-format=json', '--vmodule=a=5'], ['vmodule: Forbidden: Only supported for text log format']],
  [
    ['--logging-format=json', '--feature-gates=LoggingBetaOptions=false'],
    ['format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature'],
  ],
  [
    ['--log-json-split-stream', '--log-text-info-buffer-size=1Ki'],
    [`options.text.infoBufferSize: ${forbidden}`, `options.json.splitStream: ${forbidden}`],
  ],
  [['--log-json-split-stream', '--log-text-info-buffer-size=1Ki', alpha], []],
] as const) {
  test(`flags of the log: ${args.join(' ') || 'none'}`, () => assert.deepEqual(problems(...args), expected));
}

for (const [arg, message] of [
  ['--vmodule=a', 'invalid argument "a" for "--vmodule" flag: "a" does not have the pattern=N format'],
  [
    '--vmodule=a=x',
    'invalid argument "a=x" for "--vmodule" flag: parsing verbosity in "a=x": strconv.ParseUint: parsing "x": invalid syntax',
  ],
  ['-v=2147483648', 'invalid argument "2147483648" for "-v, --v" flag: strconv.ParseUint: parsing "2147483648": value out of range'],
  ['-v=0x3', 'invalid argument "0x3" for "-v, --v" flag: strconv.ParseUint: parsing "0x3": invalid syntax'],
] as const) {
  test(`${arg} is refused`, () => assert.throws(() => parseFlags(serverFlags, [arg]), { message }));
}

test('info lines go to standard output when the streams are split, in both formats', () => {
  for (const format of ['text', 'json']) {
    const [out, err]: [string[], string[]] = [[], []];
    const { values } = parseFlags(serverFlags, [`--logging-format=${format}`, `--log-${format}-split-stream`, alpha]);
    using opened = openLog(values, { out: (text) => out.push(text), err: (text) => err.push(text) }, false);
    opened.log.info('info');
    opened.log.error('error');
    assert.match(out.join(''), /info/);
    assert.match(err.join(''), /error/);
    assert.deepEqual([out.length, err.length], [1, 1]);
  }
});
