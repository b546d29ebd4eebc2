import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  specifiedRules,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';

/** What a query may cost, known before a single resolver runs. */
const MAX_DEPTH = 6;
const MAX_ALIASES = 15;
const MAX_TOKENS = 1_000;
const MAX_FIELDS = 1_000;
const MAX_LISTS = 2;
/** Characters: an alias is repeated for each link of a list. */
const MAX_ALIAS_LENGTH = 100;
/** Values within the variables of a query, each of which may be an error. */
const MAX_VARIABLE_VALUES = 200;
/** Faults of one query that are named. */
export const MAX_ERRORS = 10;

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

/** @throws GraphQLError for variables that hold more than 200 values; stops counting there. */
export function refuseVariableFlood(variables: unknown): void {
  const values = [variables];
  for (const value of values) {
    if (values.length > MAX_VARIABLE_VALUES) {
      throw new GraphQLError(`The variables contain more than ${MAX_VARIABLE_VALUES} values.`);
    }
    if (typeof value === 'object' && value !== null) values.push(...Object.values(value));
  }
}

/** Validates documents, by the rules of GraphQL itself and by those of the way they come. */
export function createValidation(
  schema: GraphQLSchema,
  transport: 'post' | 'socket',
  introspection: boolean,
): (document: DocumentNode) => readonly GraphQLError[] {
  const rules = [
    ...specifiedRules,
    oneOperation,
    limitAliases,
    limitSize,
    TRANSPORT_RULES[transport],
  ];
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  return (document) => validate(schema, document, rules, { maxErrors: MAX_ERRORS });
}

const report = (context: ValidationContext, message: string) =>
  context.reportError(new GraphQLError(message));

/**
 * Compiled queries are kept by their text alone: a second operation in it could be run under the
 * name, and the checks, of the first.
 */
const oneOperation: ValidationRule = (context) => ({
  Document(node) {
    const operations = node.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length > 1) report(context, 'Send one operation per request.');
  },
});

const TRANSPORT_RULES = {
  post: refuseOperations(
    [OperationTypeNode.SUBSCRIPTION],
    'Subscribe over WebSocket (graphql-transport-ws) at this address.',
  ),
  socket: refuseOperations(
    [OperationTypeNode.QUERY, OperationTypeNode.MUTATION],
    'Send queries and mutations by POST.',
  ),
};

function refuseOperations(refused: OperationTypeNode[], advice: string): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      if (refused.includes(node.operation)) report(context, advice);
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
        report(context, `The query has more than ${MAX_ALIASES} aliases.`);
      }
      if (node.alias.value.length > MAX_ALIAS_LENGTH) {
        report(context, `An alias is longer than ${MAX_ALIAS_LENGTH} characters.`);
      }
    },
  };
};

/**
 * Fragments that spread fragments double with each level, and the compiler writes all of it out:
 * twenty lines of text could stop the server.
 */
const limitSize: ValidationRule = (context) => {
  const measure = createMeasure(context);
  return {
    OperationDefinition({ selectionSet }) {
      const { depth, fields, lists, searchable, searches } = measure(selectionSet);
      if (depth > MAX_DEPTH) report(context, `The query is deeper than ${MAX_DEPTH} levels.`);
      if (fields > MAX_FIELDS) {
        report(
          context,
          `The query has more than ${MAX_FIELDS} fields, with its fragments expanded.`,
        );
      }
      if (lists > MAX_LISTS) {
        report(
          context,
          `The query reads more than ${MAX_LISTS} lists of links: send one at a time.`,
        );
      }
      if (searches > 0 && searchable > 1) {
        report(
          context,
          'A query that searches can read only one list of links: send one at a time.',
        );
      }
    },
  };
};

const SEARCHABLE = 'listPaywallLinks';
const LISTS = [SEARCHABLE, 'listDeletedPaywallLinks'];

/** How far a selection reaches, and what it is with its fragments written out. */
interface Measure {
  depth: number;
  fields: number;
  /** Of these fields those that read a list of links. */
  lists: number;
  /** Of these lists those that can be searched, and those that are. */
  searchable: number;
  searches: number;
}

/** Measures selections of one document. Each fragment is measured once, however often it is spread. */
function createMeasure(context: ValidationContext): (set: SelectionSetNode) => Measure {
  const known = new Map<string, Measure>();

  function measure({ selections }: SelectionSetNode): Measure {
    const parts = selections.map(measureOne);
    const sum = (of: keyof Measure) => parts.reduce((total, part) => total + part[of], 0);
    return {
      depth: Math.max(0, ...parts.map(({ depth }) => depth)),
      fields: sum('fields'),
      lists: sum('lists'),
      searchable: sum('searchable'),
      searches: sum('searches'),
    };
  }

  function measureOne(selection: SelectionNode): Measure {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
    const inner = selection.selectionSet ? measure(selection.selectionSet) : NOTHING;
    const { value: name } = selection.name;
    return {
      depth: inner.depth + 1,
      fields: inner.fields + 1,
      lists: inner.lists + (LISTS.includes(name) ? 1 : 0),
      searchable: inner.searchable + (name === SEARCHABLE ? 1 : 0),
      searches: inner.searches + (name === SEARCHABLE && isSearch(selection) ? 1 : 0),
    };
  }

  function measureFragment(name: string): Measure {
    const measured = known.get(name);
    if (measured) return measured;
    // A fragment that contains itself is another rule's fault: it must not be followed for ever.
    known.set(name, NOTHING);
    const fragment = context.getFragment(name);
    const result = fragment ? measure(fragment.selectionSet) : NOTHING;
    known.set(name, result);
    return result;
  }

  return measure;
}

function isSearch({ arguments: given = [] }: FieldNode): boolean {
  return given.some(({ name, value }) => name.value === 'search' && value.kind !== Kind.NULL);
}

const NOTHING: Measure = { depth: 0, fields: 0, lists: 0, searchable: 0, searches: 0 };

/** Of one answer, errors included: a hundred links with the longest texts are a third of it. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Whether an answer is larger than MAX_ANSWER_BYTES, before it is written out. */
export function isTooLarge(answer: unknown): boolean {
  // Most answers are far from it, and known to be so without counting the bytes of each text.
  if (subtractBytes(answer, MAX_ANSWER_BYTES, atMost) >= 0) return false;
  return subtractBytes(answer, MAX_ANSWER_BYTES, Buffer.byteLength) < 0;
}

export function tooLarge(): GraphQLError {
  const mebibytes = MAX_ANSWER_BYTES / 1024 / 1024;
  return new GraphQLError(
    `The answer is larger than ${mebibytes} MiB. Ask for fewer links or fields at a time.`,
  );
}

/** UTF-8 takes three bytes at the most for a unit of UTF-16. */
const atMost = (text: string) => text.length * 3;

/** What is left of these bytes after a value; stops measuring below zero. */
function subtractBytes(value: unknown, bytes: number, measure: (text: string) => number): number {
  if (typeof value === 'string') return bytes - measure(value) - 2;
  if (typeof value !== 'object' || value === null) return bytes - 4;
  let left = bytes;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) break;
      left = subtractBytes(item, left - 1, measure);
    }
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    const inner = (value as Record<string, unknown>)[name];
    left = subtractBytes(inner, left - name.length - 4, measure);
  }
  return left;
}
