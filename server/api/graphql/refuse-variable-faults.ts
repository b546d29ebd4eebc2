import {
  coerceInputValue,
  type DefinitionNode,
  GraphQLError,
  isInputType,
  Kind,
  parse,
  typeFromAST,
} from 'graphql';
import { MAX_ERRORS } from './query-limits.ts';
import { schema } from './schema.ts';

/**
 * Looks for faults in the variables before the engine does, which writes all of a variable into
 * each of the fifty errors that it may find there: ten milliseconds of work for 64 KiB.
 * @throws AggregateError of the first ten GraphQLErrors, with the status 400
 */
export function refuseVariableFaults(query: string, variables: unknown): void {
  if (typeof variables !== 'object' || variables === null) return;
  const errors: GraphQLError[] = [];
  const refuse = () => {
    const refusal = new AggregateError(errors, 'The variables are not what the query takes.');
    throw Object.assign(refusal, { statusCode: 400 });
  };
  for (const operation of definitionsOf(query)) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type: node } of operation.variableDefinitions ?? []) {
      const name = variable.name.value;
      const value = (variables as Record<string, unknown>)[name];
      const type = typeFromAST(schema, node as never);
      // What is missing, or null where it must not be, is told by the engine.
      if (value === undefined || value === null || !isInputType(type)) continue;
      coerceInputValue(value, type, (path, _value, { message }) => {
        const place = path.length > 0 ? ` at "${writePath([name, ...path])}"` : '';
        const text = `Variable "$${name}" got invalid value${place}; ${message}`;
        errors.push(new GraphQLError(text, { nodes: variable }));
        if (errors.length === MAX_ERRORS) refuse();
      });
    }
  }
  if (errors.length > 0) refuse();
}

/** None of a text that is not GraphQL, which the engine says. */
function definitionsOf(query: string): readonly DefinitionNode[] {
  try {
    return parse(query).definitions;
  } catch {
    return [];
  }
}

/** `f.and[0].price` */
function writePath(path: readonly (string | number)[]): string {
  return path
    .map((part, place) => {
      if (typeof part === 'number') return `[${part}]`;
      return place === 0 ? part : `.${part}`;
    })
    .join('');
}
