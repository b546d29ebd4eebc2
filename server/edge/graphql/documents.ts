import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  type VariableDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { ByteBoundedMap } from '../../ground/lib/byte-bounded-map.ts';
import type { GraphqlContext } from './builder.ts';

/** Executions after which a document is compiled: the engine forgets compiled code late. */
const COMPILE_AFTER = 100;
/** About what a document takes for each of its characters, when it is read and compiled. */
const BYTES_OF_CHARACTER = 100;
/** Of the documents that are kept, and as many of those that were refused. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** What is wrong with a whole request: nothing of it was run. */
export class RequestRefused extends AggregateError {
  readonly statusCode = 400;

  constructor(errors: readonly GraphQLError[]) {
    super(errors, 'The request is not valid.');
  }
}

interface Document {
  operation: OperationDefinitionNode;
  /** The names of its variables, where any text will do for each of them. */
  texts: string[] | null;
  run(context: GraphqlContext, variables: Variables): Promise<ExecutionResult> | ExecutionResult;
}

type Variables = Record<string, unknown>;

export interface DocumentRequest {
  query: string;
  variables?: Variables | null | undefined;
  operationName?: string | null | undefined;
}

/**
 * Runs documents, each of which is read and validated once and compiled when it is asked often.
 * @throws RequestRefused for a document or variables that are not valid
 */
export type RunDocument = (
  request: DocumentRequest,
  context: GraphqlContext,
) => Promise<ExecutionResult>;

export function createDocuments(
  schema: GraphQLSchema,
  validate: (document: DocumentNode) => readonly GraphQLError[],
): RunDocument {
  const documents = new ByteBoundedMap<Document>(KEPT_BYTES);
  // Apart, so that refused ones never displace others.
  const refusals = new ByteBoundedMap<RequestRefused>(KEPT_BYTES);

  function find(text: string): Document {
    const known = documents.get(text);
    if (known) return known;
    const refused = refusals.get(text);
    if (refused) throw refused;
    const bytes = text.length * BYTES_OF_CHARACTER;
    try {
      const document = read(text);
      documents.set(text, document, bytes);
      return document;
    } catch (error) {
      if (error instanceof RequestRefused) refusals.set(text, error, bytes);
      throw error;
    }
  }

  function read(text: string): Document {
    const document = parseText(text);
    const errors = validate(document);
    if (errors.length > 0) throw new RequestRefused(errors);
    const operation = document.definitions.find(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION,
    ) as OperationDefinitionNode;
    let uses = 0;
    let compiled: CompiledQuery['query'] | undefined;
    return {
      operation,
      texts: findTexts(operation),
      run(context, variables) {
        if (compiled) return compiled(undefined, context, variables);
        uses += 1;
        if (uses === COMPILE_AFTER) {
          const query = compileQuery(schema, document);
          if (isCompiledQuery(query)) compiled = query.query;
        }
        return execute({ schema, document, contextValue: context, variableValues: variables });
      },
    };
  }

  return async ({ query, variables, operationName }, context) => {
    const { operation, texts, run } = find(query);
    if (operationName && operationName !== operation.name?.value) {
      throw new RequestRefused([new GraphQLError(`Unknown operation named "${operationName}".`)]);
    }
    const given = variables ?? {};
    if (!texts?.every((name) => typeof given[name] === 'string')) {
      // Compiled code finds the same faults, and describes them differently.
      const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
      if (errors) throw new RequestRefused(errors);
    }
    return run(context, given);
  };
}

const TAKE_ANY_TEXT = new Set(['ID', 'String']);

function findTexts({ variableDefinitions = [] }: OperationDefinitionNode): string[] | null {
  const isText = ({ type: given }: VariableDefinitionNode) => {
    const type = given.kind === Kind.NON_NULL_TYPE ? given.type : given;
    return type.kind === Kind.NAMED_TYPE && TAKE_ANY_TEXT.has(type.name.value);
  };
  if (!variableDefinitions.every(isText)) return null;
  return variableDefinitions.map(({ variable }) => variable.name.value);
}

function parseText(text: string) {
  try {
    return parse(text);
  } catch (error) {
    const { message, nodes, source, positions } = error as GraphQLError;
    throw new RequestRefused([
      new GraphQLError(`The query is not valid GraphQL. ${message}`, { nodes, source, positions }),
    ]);
  }
}
