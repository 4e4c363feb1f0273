// The tab's workspace. It belongs to the tab, so that nothing typed in one workspace is sent to another.

let spoken: string | undefined

/** The workspace that calls name; undefined before it's known, and for someone who has none. */
export function spokenWorkspace(): string | undefined {
  return spoken
}

export function speakIn(workspaceId: string | undefined): void {
  spoken = workspaceId
}
