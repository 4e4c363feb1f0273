// The tab's workspace. Each tab has its own, so that nothing typed in one workspace is sent to another.

let spoken: string | undefined

/** The workspace named in each call. Undefined until it's known, and for people without one. */
export function spokenWorkspace(): string | undefined {
  return spoken
}

export function speakIn(workspaceId: string | undefined): void {
  spoken = workspaceId
}
