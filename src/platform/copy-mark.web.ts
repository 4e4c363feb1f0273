// Whether this device keeps a copy, known without opening its database: the sign-in pages need not load that.

const MARK = 'copy'

export function hasCopy(): boolean {
  return localStorage.getItem(MARK) !== null
}

export function markCopy(isThere: boolean): void {
  if (isThere) localStorage.setItem(MARK, '1')
  else localStorage.removeItem(MARK)
}
