import { readFileSync } from 'node:fs';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  stripIgnoredCharacters,
  typeFromAST,
  validate,
} from 'graphql';
import { type ErrorCode, STATUS_OF } from '../contract/error-codes.ts';
import { schema } from '../server/api/schema.ts';

const HEAD = '// Printed by `npm run schema`: change what it is made of instead.\n';
const OPERATIONS = new URL('../client/src/operations.graphql', import.meta.url);

/** Of the GraphQL's scalars; every other one is written as text. */
const SCALARS: Record<string, string> = { Boolean: 'boolean', Float: 'number', Int: 'number' };

/**
 * The calls of the client, and what they send and get. By hand, because graphql-codegen would bring
 * some thirty packages for one file. @throws Error where the schema lacks any.
 */
export function describeOperations(): string {
  const document = parse(readFileSync(OPERATIONS, 'utf8'));
  const [error] = validate(schema, document);
  if (error) throw new Error(`operations.graphql: ${error.message}`);
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node);
  }
  const inputs = new Map<string, GraphQLInputObjectType>();

  const shown = [...fragments.values()].map((node) => {
    const type = schema.getType(node.typeCondition.name.value) as GraphQLObjectType;
    const head = `${comment(type.description)}export interface ${node.name.value} `;
    return head + fieldsOf(type, node.selectionSet);
  });
  const calls = operations.map((node) => {
    const name = node.name?.value ?? '';
    const root = schema.getRootType(node.operation) as GraphQLObjectType;
    const [field] = node.selectionSet.selections as FieldNode[];
    const { type, description } = root.getFields()[field?.name.value ?? ''] ?? {};
    if (!type || node.selectionSet.selections.length > 1) throw new Error(`${name}: one field.`);
    const result = output(type, field?.selectionSet);
    const variables = (node.variableDefinitions ?? []).map(({ variable, type }) =>
      inputField(variable.name.value, typeFromAST(schema, type as never) as GraphQLInputType),
    );
    const given = variables.length > 0 ? `{ ${variables.join('; ')} }` : 'Record<string, never>';
    const text = stripIgnoredCharacters([node, ...usedBy(node.selectionSet)].map(print).join(' '));
    return `${comment(description)}export const ${name}: Operation<${result}, ${given}> = {
text: ${JSON.stringify(text)},
isQuery: ${node.operation === 'query'},
};`;
  });
  // Inputs may hold inputs, which are found while these are printed.
  const printedInputs: string[] = [];
  for (const type of inputs.values()) printedInputs.push(printInput(type));
  const operation = `/** Of one field; \`types\`, which is never there, says what that is and what is given. */
export interface Operation<Result, Variables> {
text: string;
isQuery: boolean;
types?: [Result, Variables];
}`;
  return layOut([HEAD, operation, ...shown, ...printedInputs, ...calls]);

  function fieldsOf(type: GraphQLObjectType, { selections }: SelectionSetNode): string {
    const [first, ...more] = selections;
    if (first?.kind === Kind.FRAGMENT_SPREAD && more.length === 0) return first.name.value;
    const fields = (selections as FieldNode[]).map(({ name, selectionSet }) => {
      const field = type.getFields()[name.value];
      if (!field) throw new Error(`${type.name} has no field ${name.value}.`);
      return `${comment(field.description)}${name.value}: ${output(field.type, selectionSet)};`;
    });
    return `{\n${fields.join('\n')}\n}`;
  }

  function output(type: GraphQLOutputType, selectionSet?: SelectionSetNode): string {
    if (isNonNullType(type)) return output(type.ofType, selectionSet).replace(/ \| null$/, '');
    if (isListType(type)) return `Array<${output(type.ofType, selectionSet)}> | null`;
    const isObject = isObjectType(type) && selectionSet;
    return `${isObject ? fieldsOf(type, selectionSet) : scalar(type)} | null`;
  }

  function inputField(name: string, type: GraphQLInputType): string {
    return isNonNullType(type)
      ? `${name}: ${input(type.ofType)}`
      : `${name}?: ${input(type)} | null | undefined`;
  }

  function input(type: GraphQLInputType): string {
    if (isNonNullType(type)) return input(type.ofType);
    if (isListType(type)) return `Array<${input(type.ofType)}>`;
    if (!isInputObjectType(type)) return scalar(type);
    inputs.set(type.name, type);
    return type.name;
  }

  function printInput(type: GraphQLInputObjectType): string {
    const fields = Object.values(type.getFields()).map(
      (field) => `${comment(field.description)}${inputField(field.name, field.type)};`,
    );
    return `export interface ${type.name} {\n${fields.join('\n')}\n}`;
  }

  function usedBy({ selections }: SelectionSetNode): Set<FragmentDefinitionNode> {
    return new Set(
      selections.flatMap((node) => {
        if (node.kind !== Kind.FRAGMENT_SPREAD) {
          return node.selectionSet ? [...usedBy(node.selectionSet)] : [];
        }
        const fragment = fragments.get(node.name.value) as FragmentDefinitionNode;
        return [fragment, ...usedBy(fragment.selectionSet)];
      }),
    );
  }
}

function scalar(type: GraphQLOutputType | GraphQLInputType): string {
  return SCALARS[getNamedType(type).name] ?? 'string';
}

/** The codes of errors and their status, which GraphQL does not tell. */
export function describeCodes(): string {
  const codes = Object.keys(STATUS_OF) as ErrorCode[];
  const byStatus = Object.entries(Object.groupBy(codes, (code) => STATUS_OF[code]))
    .filter(([status]) => status !== '400')
    .map(([status, some = []]) => `${status}: '${some.join(' ')}',`);
  return layOut([
    HEAD,
    `export type ServerCode = ${codes.map((code) => `'${code}'`).join(' | ')};`,
    '/** What the server refuses with each status; 400 is all else. */',
    `export const CODES_OF: Record<number, string> = {\n${byStatus.join('\n')}\n};`,
  ]);
}

/** What is taken over from the OpenAPI description: the JSON answer of a call, under this name. */
const ANSWERS = {
  Offer: 'getOffer',
  Cover: 'setCover',
  FilePage: 'listFiles',
  FileAddress: 'getFileUrl',
  CheckoutAddress: 'startCheckout',
  License: 'verifyLicense',
};
/** The JSON that a call takes. */
const BODIES = {
  CheckoutRequest: 'startCheckout',
  LicenseCheck: 'verifyLicense',
  LicenseDevice: 'deactivateLicense',
};

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  additionalProperties?: unknown;
}

type Content = { content?: Record<string, { schema?: JsonSchema }> };

export interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        requestBody?: Content;
        responses: Record<string, Content>;
      }
    >
  >;
}

/** The shapes of the calls beside GraphQL. @throws Error where the description lacks any. */
export function describeCalls({ paths }: OpenApi): string {
  const calls = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((call) => [call.operationId, call]),
    ),
  );
  const shapes = [
    ...Object.entries(ANSWERS).map(([name, id]) => shape(name, calls.get(id)?.responses[200])),
    ...Object.entries(BODIES).map(([name, id]) => shape(name, calls.get(id)?.requestBody)),
  ];
  return layOut([HEAD, ...shapes]);
}

function shape(name: string, content: Content | undefined): string {
  const schema = content?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`GET /openapi.json does not say what ${name} is.`);
  return `export interface ${name} ${toType(schema)}`;
}

function toType(schema: JsonSchema): string {
  const { type, anyOf, items, properties, required = [] } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(toType).join(' | ');
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `Array<${items ? toType(items) : 'unknown'}>`;
  if (type === 'integer') return 'number';
  if (type !== 'object') return type ?? 'unknown';
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(field.description)}${name}${mark}: ${toType(field)};`;
  });
  // What else there is, such as facts that are known of some files alone.
  if (schema.additionalProperties) fields.push('[fact: string]: unknown;');
  return `{\n${fields.join('\n')}\n}`;
}

function comment(text: string | null | undefined): string {
  return text ? `/** ${text.replaceAll('\n', ' ')} */\n` : '';
}

/** Each line as deep as the braces around it. */
function layOut(parts: string[]): string {
  let depth = 0;
  const lines = parts.join('\n').split('\n');
  const laid = lines.map((line) => {
    if (/^[}\]]/.test(line)) depth -= 1;
    const indented = line && '  '.repeat(depth) + line;
    if (/[{[]$/.test(line)) depth += 1;
    return indented;
  });
  return `${laid.join('\n')}\n`;
}
