// Who reads what the server writes: the person behind the request, or whom an email or a message goes to.
import { AsyncLocalStorage } from 'node:async_hooks'
import { AMERICAN, readerIn, readFor } from '#kernel/reader.ts'

const readers = new AsyncLocalStorage<string | null>()

readFor(() => {
  const region = readers.getStore()
  return region ? readerIn(region) : AMERICAN
})

/** Writes for a reader in this region (ISO 3166). Null is an unknown one, for whom it's as in the United States. */
export function writeFor<Result>(region: string | null, write: () => Result): Result {
  return readers.run(region, write)
}

/** The region of the current reader; null if unknown. */
export function currentRegion(): string | null {
  return readers.getStore() ?? null
}
