/**
 * Does together what is asked for one by one: whoever asks while it is done for others is served with
 * the next, which begins after they asked.
 * @param atOnce how many may be under way, asked whenever one is to begin
 */
export function gather<Item, Answer>(
  work: (items: Item[]) => Promise<Answer>,
  atOnce = () => 1,
): (item: Item) => Promise<Answer> {
  const underWay = new Set<Promise<void>>();
  let next: { items: Item[]; answer: Promise<Answer> } | null = null;

  async function workOn(items: Item[]): Promise<Answer> {
    do await (hasPlace() ? null : Promise.race(underWay));
    while (!hasPlace());
    next = null;
    const answer = work(items);
    const end = () => void underWay.delete(ended);
    const ended: Promise<void> = answer.then(end, end);
    underWay.add(ended);
    return answer;
  }

  const hasPlace = () => underWay.size < atOnce();

  return (item) => {
    if (!next) {
      const items: Item[] = [];
      next = { items, answer: workOn(items) };
    }
    next.items.push(item);
    return next.answer;
  };
}
