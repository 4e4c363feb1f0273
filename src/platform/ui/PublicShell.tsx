import type { ReactNode } from 'react'
import { LogoLink } from './Logo.tsx'

/** A narrow column, used by the sign-in pages. */
export function PublicShell({ isCentered = false, children }: { isCentered?: boolean; children: ReactNode }) {
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-[27rem] flex-col px-5 pt-5 pb-8">
      <LogoLink size={34} className="self-start" />
      {isCentered ? (
        <div className="my-auto pb-10">{children}</div>
      ) : (
        <div className="mt-8 flex flex-1 flex-col">{children}</div>
      )}
    </main>
  )
}
