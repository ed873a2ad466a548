/**
 * Works through an iterable with a few items at once. A worker takes the next item when it is free, and no queue grows. So memory is the
 * same for ten items and for a million.
 *
 * @param work not called for further items after `signal` was aborted or a call threw
 * @throws the error of the first failing `work`, once the other calls have ended
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  width: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  let failure: { error: unknown } | undefined;
  // Workers take turns at the iterator: a generator answers only one `next` at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const mine = turn.then(() => iterator.next());
    turn = mine.catch(() => undefined);
    return mine;
  };
  const worker = async () => {
    while (!isOver && !signal.aborted) {
      try {
        const { done, value } = await next();
        if (done === true || isOver || signal.aborted) return;
        await work(value);
      } catch (error) {
        failure ??= { error };
        isOver = true;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  await iterator.return?.();
  if (failure !== undefined) throw failure.error;
}
