import { Kind, type SelectionNode, type SelectionSetNode, type ValidationContext } from 'graphql';

const LISTS = ['listPaywallLinks', 'listDeletedPaywallLinks'];

/** How far a selection reaches, and what it is with its fragments written out. */
interface Measure {
  depth: number;
  fields: number;
  /** Of these fields those that read a list of links. */
  lists: number;
}

/** Measures selections of one document. Each fragment is measured once, however often it is spread. */
export function createMeasure(context: ValidationContext): (set: SelectionSetNode) => Measure {
  const known = new Map<string, Measure>();

  function measure({ selections }: SelectionSetNode): Measure {
    const parts = selections.map(measureOne);
    return {
      depth: Math.max(0, ...parts.map(({ depth }) => depth)),
      fields: parts.reduce((sum, { fields }) => sum + fields, 0),
      lists: parts.reduce((sum, { lists }) => sum + lists, 0),
    };
  }

  function measureOne(selection: SelectionNode): Measure {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
    const inner = selection.selectionSet ? measure(selection.selectionSet) : NOTHING;
    const lists = inner.lists + (LISTS.includes(selection.name.value) ? 1 : 0);
    return { depth: inner.depth + 1, fields: inner.fields + 1, lists };
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

const NOTHING: Measure = { depth: 0, fields: 0, lists: 0 };
