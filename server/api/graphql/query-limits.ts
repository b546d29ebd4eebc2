import { GraphQLError, Kind, Lexer, Source, TokenKind, type ValidationRule } from 'graphql';

/** Design §4: what a query may cost before a single resolver runs. */
export const MAX_DEPTH = 6;
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

/**
 * Compiled queries are kept by their text alone: a second operation in it could be run under the
 * name, and the checks, of the first.
 */
export const oneOperation: ValidationRule = (context) => ({
  Document(node) {
    const operations = node.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length > 1) {
      context.reportError(new GraphQLError('Send one operation a request.'));
    }
  },
});

export const limitAliases: ValidationRule = (context) => {
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
