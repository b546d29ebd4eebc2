import {
  BinaryOperationNode,
  ColumnNode,
  type PrimitiveValueListNode,
  ReferenceNode,
  SqliteQueryCompiler,
  ValueListNode,
  ValueNode,
} from 'kysely';

/** What `prepare` has stand for a value is an object, and stays bound. */
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Writes the states that rows are looked up by into the text of a statement. Where an index covers one
 * state (`where state = 'open'`), SQLite would plan the statement anew whenever a value is bound, which
 * takes up to ten times as long as running it.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitValue(node: ValueNode): void {
    if (isText(node.value) && this.#comparesState()) this.appendStringLiteral(node.value);
    else super.visitValue(node);
  }

  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    const { values } = node;
    if (!values.every(isText) || !this.#comparesState())
      return void super.visitPrimitiveValueList(node);
    this.visitValueList(ValueListNode.create(values.map(ValueNode.createImmediate)));
  }

  #comparesState(): boolean {
    const { parentNode } = this;
    if (!parentNode || !BinaryOperationNode.is(parentNode)) return false;
    const { leftOperand } = parentNode;
    if (!ReferenceNode.is(leftOperand) || !ColumnNode.is(leftOperand.column)) return false;
    return leftOperand.column.column.name === 'state';
  }
}
