import { flagGroup, shorthand } from './flag.ts';
import { bool, duration, level, quantity, string, stringToString, strings, verbosityPatterns } from './flag-kinds.ts';

export const metricsFlags = flagGroup('Metrics', {
  'allow-metric-labels': stringToString('values that a label may take, as metric,label=value,value'),
  'allow-metric-labels-manifest': string('', 'file with the values that labels may take'),
  'disabled-metrics': strings('full names of metrics to leave out'),
  'show-hidden-metrics-for-version': string('', 'also show what this previous minor version still showed'),
});

export const logsFlags = flagGroup('Logs', {
  'log-flush-frequency': duration('5s', 'time between flushes of the log'),
  'log-json-info-buffer-size': quantity('bytes of JSON info messages that may be held back'),
  'log-json-split-stream': bool(false, 'JSON: errors to standard error, the rest to standard output'),
  'log-text-info-buffer-size': quantity('bytes of text info messages that may be held back'),
  'log-text-split-stream': bool(false, 'text: errors to standard error, the rest to standard output'),
  'logging-format': string('text', 'text or json'),
  v: shorthand(level('how much is logged: 0 little, 10 everything'), 'v'),
  vmodule: verbosityPatterns('other verbosity for single files'),
});

export const tracesFlags = flagGroup('Traces', {
  'tracing-config-file': string('', 'file that says where traces are sent and how many of them: a TracingConfiguration'),
});
