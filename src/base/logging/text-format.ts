// Upstream: k8s.io/klog/v2/internal/buffer/buffer.go, k8s.io/klog/v2/internal/serialize/keyvalues.go, k8s.io/klog/v2/textlogger/textlogger.go
import { goQuote } from '../quote.ts';
import type { LogFormat } from './record.ts';
import { fieldsOf } from './record.ts';

/** `I1116 00:24:30.123456   12345 file.ts:12] "message" key="value"`, in the time zone of the process. */
export function textFormat(pid: number): LogFormat {
  const process = String(pid).padStart(7);
  return (record) => {
    const { severity, at, caller, name, message } = record;
    let text = `${severity}${stamp(at)} ${process} ${caller.file}:${caller.line}] ${goQuote(message)}`;
    let rest = name === '' ? '' : ` logger${valueText(name)}`;
    for (const [key, value] of fieldsOf(record)) {
      // The error comes first, wherever it was given.
      if (key === 'err' && severity === 'E') text += ` err${valueText(value)}`;
      else rest += ` ${key}${valueText(value)}`;
    }
    return `${text}${rest}\n`;
  };
}

function stamp(at: number): string {
  const date = new Date(at);
  const micros = Math.floor((at - Math.floor(at)) * 1000) + date.getMilliseconds() * 1000;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${two(date.getMonth() + 1)}${two(date.getDate())} ${time}.${String(micros).padStart(6, '0')}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (value instanceof Error) return stringText(value.message);
  return `=${jsonText(value)}`;
}

/** Texts of several lines stay readable: each is indented by a tab, between angle brackets. */
function stringText(text: string): string {
  if (!text.includes('\n')) return `=${goQuote(text)}`;
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  return `=<\n\t${lines.replaceAll('\n', '\n\t')}\n >`;
}

const markup: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

function jsonText(value: unknown): string {
  return safeJson(value).replace(/[<>&]/g, (character) => markup[character] ?? character);
}

/** Whatever is given is shown somehow: a line about trouble must not become trouble. */
export function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, jsonValue) ?? 'null';
  } catch (error) {
    return JSON.stringify(`<internal error: ${error instanceof Error ? error.message : String(error)}>`);
  }
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? value.message : value;
}
