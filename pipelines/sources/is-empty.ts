/** Whether there is nothing in it. No more than the first item is taken. */
export async function isEmpty(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _item of items) return false;
  return true;
}
