// The workspace that this tab speaks in. It belongs to the tab, so that what was typed in one is never sent to another.

let spoken: string | undefined

/** The workspace that calls name; undefined before it is known, and for somebody who has none. */
export function spokenWorkspace(): string | undefined {
  return spoken
}

export function speakIn(workspaceId: string | undefined): void {
  spoken = workspaceId
}
