// The emailed link that the page was opened with. Its token is sent with each call, instead of a workspace.

let token: string | undefined

/** The token of the page's emailed link; undefined on all other pages. */
export function linkToken(): string | undefined {
  return token
}

export function openByLink(opened: string | undefined): void {
  token = opened
}
