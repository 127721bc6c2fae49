import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFlags } from './flags/index.ts';
import { parseFlags } from './parse-flags.ts';

type Case = readonly [args: readonly string[], name: keyof typeof serverFlags, expected: unknown];

const accepted: readonly Case[] = [
  [[], 'secure-port', 6443],
  [['--secure-port=1'], 'secure-port', 1],
  [['--secure-port', '1'], 'secure-port', 1],
  [['--secure-port=0x10'], 'secure-port', 16],
  [['--secure_port=010'], 'secure-port', 8],
  [['--secure-port=1', '--secure-port=2'], 'secure-port', 2],
  [['--profiling=false'], 'profiling', false],
  [['--profiling=F'], 'profiling', false],
  [['--allow-privileged'], 'allow-privileged', true],
  [['-v=4'], 'v', 4],
  [['-v4'], 'v', 4],
  [['-v', '4'], 'v', 4],
  [['-hv4'], 'v', 4],
  [['--v=4'], 'v', 4],
  [['--etcd-servers=a,b', '--etcd-servers=c'], 'etcd-servers', ['a', 'b', 'c']],
  [['--etcd-servers='], 'etcd-servers', []],
  [['--etcd-servers="a,b",c'], 'etcd-servers', ['a,b', 'c']],
  [['--oidc-signing-algs=ES256'], 'oidc-signing-algs', ['ES256']],
  [['--service-account-issuer=a,b', '--service-account-issuer=c'], 'service-account-issuer', ['a,b', 'c']],
  [['--request-timeout=1h30m'], 'request-timeout', 5_400_000],
  [['--request-timeout=-1.5s'], 'request-timeout', -1500],
  [['--goaway-chance=.01'], 'goaway-chance', 0.01],
  [
    ['--runtime-config=api/all=true,x'],
    'runtime-config',
    new Map([
      ['api/all', 'true'],
      ['x', ''],
    ]),
  ],
  [['--oidc-required-claim=a=b,c'], 'oidc-required-claim', new Map([['a', 'b,c']])],
  [['--allow-metric-labels=m,l=a,b'], 'allow-metric-labels', new Map([['m,l', 'a,b']])],
  [
    ['--allow-metric-labels="m,l=a,b",x=y'],
    'allow-metric-labels',
    new Map([
      ['m,l', 'a,b'],
      ['x', 'y'],
    ]),
  ],
  [
    ['--feature-gates=A=true,kube:B=false', '--feature-gates=C=true'],
    'feature-gates',
    new Map([
      ['', ['A=true', 'C=true']],
      ['kube', ['B=false']],
    ]),
  ],
  [['--service-node-port-range=100+9'], 'service-node-port-range', { first: 100, size: 10 }],
  [['--tls-sni-cert-key=a, b:x,y'], 'tls-sni-cert-key', [{ certificateFile: 'a', keyFile: 'b', names: ['x', 'y'] }]],
  [['--bind-address=::'], 'bind-address', '::'],
  [['--version'], 'version', 'true'],
  [['--version=raw'], 'version', 'raw'],
  [['--version=v1.37.1-mine.1+build'], 'version', 'v1.37.1-mine.1+build'],
  [['--log-json-info-buffer-size=1Ki'], 'log-json-info-buffer-size', '1Ki'],
];

test('parseFlags() reads what pflag reads', () => {
  for (const [args, name, expected] of accepted) {
    assert.deepEqual(parseFlags(serverFlags, args).values[name], expected, args.join(' '));
  }
});

const refused: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--bogus'], 'unknown flag: --bogus'],
  [['--etcd_bogus=1'], 'unknown flag: --etcd_bogus'],
  [['--constructor=1'], 'unknown flag: --constructor'],
  [['-x'], "unknown shorthand flag: 'x' in -x"],
  [['-hx'], "unknown shorthand flag: 'x' in -x"],
  [['-v'], "flag needs an argument: 'v' in -v"],
  [['-vx'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
  [['--secure-port'], 'flag needs an argument: --secure-port'],
  [['--secure-port=abc'], 'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax'],
  [
    ['--secure-port=99999999999999999999'],
    'invalid argument "99999999999999999999" for "--secure-port" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  [['--anonymous-auth=maybe'], 'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax'],
  [['--=x'], 'bad flag syntax: --=x'],
  [['---x'], 'bad flag syntax: ---x'],
  [['--request-timeout=5'], 'invalid argument "5" for "--request-timeout" flag: time: missing unit in duration "5"'],
  [['--bind-address=bogus'], 'invalid argument "bogus" for "--bind-address" flag: failed to parse IP: "bogus"'],
  [['--tls-sni-cert-key=a'], 'invalid argument "a" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths'],
  [['--service-node-port-range=x'], 'invalid argument "x" for "--service-node-port-range" flag: strconv.Atoi: parsing "x": invalid syntax'],
  [
    ['--service-node-port-range=9-1'],
    'invalid argument "9-1" for "--service-node-port-range" flag: end port cannot be less than start port: 9-1',
  ],
  [['--allow-metric-labels=x,y'], 'invalid argument "x,y" for "--allow-metric-labels" flag: x,y must be formatted as key=value'],
  [['--allow-metric-labels=x'], 'invalid argument "x" for "--allow-metric-labels" flag: x must be formatted as key=value'],
  [['--oidc-required-claim=x'], 'invalid argument "x" for "--oidc-required-claim" flag: malformed pair, expect string=string'],
  [['--version=x'], 'invalid argument "x" for "--version" flag: strconv.ParseBool: parsing "x": invalid syntax'],
  [['--version=vx'], 'invalid argument "vx" for "--version" flag: could not parse "vx" as version'],
  [['--version=v1.37'], 'invalid argument "v1.37" for "--version" flag: illegal version string "v1.37"'],
  [
    ['--version=v01.37.1-a'],
    'invalid argument "v01.37.1-a" for "--version" flag: illegal zero-prefixed version component "01" in "v01.37.1-a"',
  ],
  [
    ['--version=v1.37.1-a+'],
    'invalid argument "v1.37.1-a+" for "--version" flag: could not parse pre-release/metadata (-a+) in version "v1.37.1-a+"',
  ],
  [
    ['--version=v1.37.2-a'],
    'invalid argument "v1.37.2-a" for "--version" flag: version "v1.37.2-a" must match major/minor/patch of default version "v1.37.1"',
  ],
];

test('parseFlags() refuses what pflag refuses, in its words', () => {
  for (const [args, message] of refused) assert.throws(() => parseFlags(serverFlags, args), { name: 'FlagError', message });
});

test('a boolean takes no value from the next argument', () => {
  const { values, positional } = parseFlags(serverFlags, ['--profiling', 'false', '--', '--bogus']);
  assert.equal(values.profiling, true);
  assert.deepEqual(positional, ['false', '--bogus']);
});

test('deprecated flags work and leave a notice', () => {
  const { notices, changed } = parseFlags(serverFlags, ['--kubelet-port=1']);
  assert.deepEqual(notices, ['Flag --kubelet-port has been deprecated, kubelet-port is deprecated and will be removed.']);
  assert.deepEqual([...changed], ['kubelet-port']);
});
