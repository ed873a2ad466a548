/** Whether an iterable is empty. It takes at most the first item. */
export async function isEmpty(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _item of items) return false;
  return true;
}
