// Whether this device keeps a copy, without opening its database, which the sign-in pages don't need to load.

const MARK = 'copy'

export function hasCopy(): boolean {
  return localStorage.getItem(MARK) !== null
}

export function markCopy(isThere: boolean): void {
  if (isThere) localStorage.setItem(MARK, '1')
  else localStorage.removeItem(MARK)
}
