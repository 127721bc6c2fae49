// Upstream: github.com/google/cel-go/common/debug/debug.go
// With the adornment that its parser tests use.
import type { Expr } from '../../src/cel/ast.ts';
import type { Value } from '../../src/cel/values.ts';
import { Double, Uint } from '../../src/cel/values.ts';
import { showDouble } from '../../src/cel/show.ts';
import { goQuote } from '../../src/machinery/go-format.ts';

/** An expression in the notation of the specification's parser tests: `_+_(\n  a^#*expr.Expr_IdentExpr#, ...`. */
export function debugString(expr: Expr, depth = 0): string {
  const pad = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  const adorn = (text: string, kind: string): string => `${text}^#*expr.${kind}#`;
  const list = (items: readonly string[]): string => (items.length === 0 ? '' : `\n${items.map((item) => pad + item).join(',\n')}\n${end}`);
  const inner = (child: Expr): string => debugString(child, depth + 1);
  switch (expr.kind) {
    case 'literal': {
      const [text, kind] = literal(expr.value);
      return adorn(text, kind);
    }
    case 'ident':
      return adorn(expr.name, 'Expr_IdentExpr');
    case 'select':
      return adorn(`${debugString(expr.operand, depth)}.${expr.field}${expr.testOnly ? '~test-only~' : ''}`, 'Expr_SelectExpr');
    case 'call': {
      const target = expr.target === undefined ? '' : `${debugString(expr.target, depth)}.`;
      return adorn(`${target}${expr.name}(${list(expr.args.map(inner))})`, 'Expr_CallExpr');
    }
    case 'list': {
      const items = expr.elements.map((element, index) => (expr.optionals.includes(index) ? '?' : '') + inner(element));
      return adorn(`[${list(items)}]`, 'Expr_ListExpr');
    }
    case 'map': {
      const items = expr.entries.map(({ key, value, isOptional }) =>
        adorn(`${isOptional ? '?' : ''}${inner(key)}:${inner(value)}`, 'Expr_CreateStruct_Entry'),
      );
      return adorn(`{${list(items)}}`, 'Expr_StructExpr');
    }
    case 'struct': {
      const items = expr.fields.map(({ name, value, isOptional }) =>
        adorn(`${isOptional ? '?' : ''}${name}:${inner(value)}`, 'Expr_CreateStruct_Entry'),
      );
      return adorn(`${expr.typeName}{${list(items)}}`, 'Expr_StructExpr');
    }
    case 'comprehension': {
      const parts: [string, string][] = [
        ['Variable', expr.variable],
        ...(expr.variable2 === '' ? [] : ([['Variable2', expr.variable2]] as [string, string][])),
        ['Target', inner(expr.range)],
        ['Accumulator', expr.accumulator],
        ['Init', inner(expr.init)],
        ['LoopCondition', inner(expr.condition)],
        ['LoopStep', inner(expr.step)],
        ['Result', inner(expr.result)],
      ];
      return adorn(
        `__comprehension__(\n${parts.map(([name, text]) => `${pad}// ${name}\n${pad}${text}`).join(',\n')})`,
        'Expr_ComprehensionExpr',
      );
    }
    default:
      return '';
  }
}

function literal(value: Value): [text: string, kind: string] {
  if (typeof value === 'boolean') return [String(value), 'Constant_BoolValue'];
  if (typeof value === 'string') return [goQuote(value), 'Constant_StringValue'];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value), 'Constant_Int64Value'];
  if (value instanceof Uint) return [`${value.value}u`, 'Constant_Uint64Value'];
  if (value instanceof Double) return [showDouble(value.value), 'Constant_DoubleValue'];
  if (value instanceof Uint8Array) return [`b${goQuote(Buffer.from(value).toString('latin1'))}`, 'Constant_BytesValue'];
  return ['null', 'Constant_NullValue'];
}
