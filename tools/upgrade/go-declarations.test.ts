import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarationsOf, textsOf } from './go-declarations.ts';

const source = `package x

// Prose that may change.
func Plain(a int) error {
	return fmt.Errorf("must be %d", a) // why
}

func (s *Strategy) Validate(ctx context.Context) field.ErrorList {
	return nil
}

type Options struct {
	// Prose.
	Name string
}

const (
	first = "first text"
	second
)

var single = 1
`;

test('declarationsOf() names functions, methods, types and members of blocks', () => {
  assert.deepEqual([...declarationsOf(source).keys()], ['Plain', 'Strategy.Validate', 'Options', 'first', 'second', 'single']);
});

test('declarationsOf() does not see comments', () => {
  const reworded = source.replace('Prose that may change', 'Other prose').replace('// why', '// because');
  assert.deepEqual(declarationsOf(reworded), declarationsOf(source));
  assert.notDeepEqual(declarationsOf(source.replace('"must be %d"', '"should be %d"')), declarationsOf(source));
});

test('textsOf() finds what may be a message', () => {
  assert.deepEqual([...textsOf(declarationsOf(source).get('Plain') ?? '')], ['must be %d']);
});
