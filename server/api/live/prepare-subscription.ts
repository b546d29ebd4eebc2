import {
  type ExecutionArgs,
  GraphQLError,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { MAX_ERRORS, refuseTokenFlood, refuseVariableFlood } from '../graphql/query-limits.ts';
import { schema } from '../graphql/schema.ts';

/** What is to run, or why it is refused. */
export function prepareSubscription(
  { query, variables, operationName }: SubscribePayload,
  rules: ValidationRule[],
): ExecutionArgs | readonly GraphQLError[] {
  try {
    refuseTokenFlood(query);
    refuseVariableFlood(variables);
    const document = parse(query);
    const errors = validate(schema, document, [...specifiedRules, ...rules], {
      maxErrors: MAX_ERRORS,
    });
    if (errors.length > 0) return errors;
    return {
      schema,
      document,
      variableValues: variables ?? null,
      operationName: operationName ?? null,
    };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
