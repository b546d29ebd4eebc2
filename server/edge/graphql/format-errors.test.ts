import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { formatErrors } from './format-errors.ts';

test('what all addresses of a server that cannot be reached answered is logged and leaves nowhere', () => {
  const refused = ['10.1.2.3', 'fd00::3'].map((host) => new Error(`connect ECONNREFUSED ${host}`));
  const originalError = new AggregateError(refused);
  const logged: unknown[] = [];
  const formatted = formatErrors(
    [new GraphQLError('', { originalError })],
    (error) => logged.push(error),
    'r-1',
  );
  expect(logged).toEqual([originalError]);
  expect(formatted).toMatchObject([{ extensions: { requestId: 'r-1' } }]);
  expect(JSON.stringify(formatted)).not.toMatch(/ECONNREFUSED|10\.1\.2\.3|fd00/);
});

test('a refused request says each of its errors', () => {
  const found = ['One is missing', 'Two is missing'].map((message) => new GraphQLError(message));
  const originalError = Object.assign(new Error('refused'), { errors: found });
  const formatted = formatErrors([new GraphQLError('', { originalError })], () => {});
  expect(formatted.map(({ message }) => message)).toEqual(['One is missing', 'Two is missing']);
});
