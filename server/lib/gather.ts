/**
 * Does together what is asked for one by one: whoever asks while it is done for others is served with
 * the next, which begins after they asked.
 */
export function gather<Item, Answer>(
  work: (items: Item[]) => Promise<Answer>,
): (item: Item) => Promise<Answer> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: { items: Item[]; answer: Promise<Answer> } | null = null;
  return (item) => {
    if (!next) {
      const items: Item[] = [];
      const answer = underWay.then(() => {
        next = null;
        return work(items);
      });
      underWay = answer.catch(() => {});
      next = { items, answer };
    }
    next.items.push(item);
    return next.answer;
  };
}
