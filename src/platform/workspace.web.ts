// The tab's workspace. Each tab has its own, so that what's typed in one workspace is never sent to another.

let spoken: string | undefined

/** The workspace sent with each call. Undefined until it's known, and for people who don't have one. */
export function spokenWorkspace(): string | undefined {
  return spoken
}

export function speakIn(workspaceId: string | undefined): void {
  spoken = workspaceId
}
