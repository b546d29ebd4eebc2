import {
  type FieldNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

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
export function createMeasure(context: ValidationContext): (set: SelectionSetNode) => Measure {
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
