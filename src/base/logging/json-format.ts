// Upstream: k8s.io/component-base/logs/json/json.go
import type { LogFormat } from './record.ts';
import { fieldsOf } from './record.ts';
import { safeJson } from './text-format.ts';

/** `{"ts":1794895181870.319,"caller":"folder/file.ts:12","msg":"message","v":0,"key":"value"}`; errors have no `v`, and `err` at the end. */
export const jsonFormat: LogFormat = (record) => {
  const { severity, level, at, caller, name, message } = record;
  const place = caller.folder === '' ? caller.file : `${caller.folder}/${caller.file}`;
  let text = `{"ts":${at}`;
  if (name !== '') text += `,"logger":${JSON.stringify(name)}`;
  text += `,"caller":${JSON.stringify(`${place}:${caller.line}`)},"msg":${JSON.stringify(message)}`;
  if (severity !== 'E') text += `,"v":${level}`;
  let problem = '';
  for (const [key, value] of fieldsOf(record)) {
    const field = `,${JSON.stringify(key)}:${safeJson(value)}`;
    if (key === 'err' && severity === 'E') problem = field + causesOf(value);
    else text += field;
  }
  return `${text}${problem}}\n`;
};

/** Of an error that is several. */
function causesOf(value: unknown): string {
  if (!(value instanceof AggregateError)) return '';
  const causes = value.errors.map((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
  return `,"errCauses":${safeJson(causes)}`;
}
