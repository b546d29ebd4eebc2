import {
  GraphQLError,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Design §4: what a query may cost before a single resolver runs. */
const MAX_DEPTH = 6;
const MAX_ALIASES = 15;
const MAX_TOKENS = 1_000;

/** @throws GraphQLError for a text of more than 1000 tokens; stops reading there. */
export function refuseTokenFlood(text: string): void {
  // A token has at least one character.
  if (text.length <= MAX_TOKENS) return;
  const lexer = new Lexer(new Source(text));
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count += 1) {
    if (count >= MAX_TOKENS) {
      throw new GraphQLError(`The query has more than ${MAX_TOKENS} tokens.`, {
        extensions: { code: 'INVALID_INPUT' },
      });
    }
  }
}

/** What is asked of a document besides the rules of GraphQL itself, by the way it comes. */
export function validationRules(
  transport: 'post' | 'socket',
  { introspection }: { introspection: boolean },
): ValidationRule[] {
  const rules = [oneOperation, limitAliases, limitDepth, TRANSPORT_RULES[transport]];
  return introspection ? rules : [...rules, NoSchemaIntrospectionCustomRule];
}

/**
 * Compiled queries are kept by their text alone: a second operation in it could be run under the
 * name, and the checks, of the first.
 */
const oneOperation: ValidationRule = (context) => ({
  Document(node) {
    const operations = node.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length > 1) {
      context.reportError(new GraphQLError('Send one operation a request.'));
    }
  },
});

const TRANSPORT_RULES = {
  post: refuseOperations(
    [OperationTypeNode.SUBSCRIPTION],
    'Subscribe by WebSocket (graphql-transport-ws) at this address.',
  ),
  socket: refuseOperations(
    [OperationTypeNode.QUERY, OperationTypeNode.MUTATION],
    'Send queries and mutations by POST.',
  ),
};

function refuseOperations(refused: OperationTypeNode[], advice: string): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      if (refused.includes(node.operation)) context.reportError(new GraphQLError(advice));
    },
  });
}

const limitAliases: ValidationRule = (context) => {
  let aliases = 0;
  return {
    Field(node) {
      if (!node.alias) return;
      aliases += 1;
      if (aliases === MAX_ALIASES + 1) {
        context.reportError(new GraphQLError(`The query has more than ${MAX_ALIASES} aliases.`));
      }
    },
  };
};

const limitDepth: ValidationRule = (context) => {
  const known = new Map<string, number>();
  return {
    OperationDefinition(node) {
      if (depthOf(node.selectionSet, context, known) <= MAX_DEPTH) return;
      context.reportError(new GraphQLError(`The query is deeper than ${MAX_DEPTH} levels.`));
    },
  };
};

/** Levels of fields. Fragments add none of their own; each is measured once. */
function depthOf(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  known: Map<string, number>,
): number {
  const depths = selections.map((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return depthOf(selection.selectionSet, context, known);
    }
    if (selection.kind === Kind.FIELD) {
      return 1 + (selection.selectionSet ? depthOf(selection.selectionSet, context, known) : 0);
    }
    const name = selection.name.value;
    const measured = known.get(name);
    if (measured !== undefined) return measured;
    // A fragment that contains itself is another rule's fault: it must not be followed for ever.
    known.set(name, 0);
    const fragment = context.getFragment(name);
    const depth = fragment ? depthOf(fragment.selectionSet, context, known) : 0;
    known.set(name, depth);
    return depth;
  });
  return Math.max(0, ...depths);
}
