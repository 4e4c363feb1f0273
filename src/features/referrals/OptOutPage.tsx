import { useState } from 'react'
import { useLocation } from 'react-router'
import { call, CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { OptOut } from './invitation.ts'

/**
 * Opened by the opt-out link in an invitation. Opting out requires pressing a button, because link scanners
 * open every link.
 */
export default function OptOutPage() {
  const token = new URLSearchParams(useLocation().search).get('token') ?? ''
  const toast = useToast()
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking')
  const stop = async () => {
    setState('sending')
    try {
      await call(OptOut, { token })
      setState('done')
    } catch (error) {
      setState('asking')
      toast.error(
        'Error',
        error instanceof CallFailed && error.problem.status < 500
          ? error.problem.title
          : "That didn't work. Please try again.",
      )
    }
  }
  return (
    <PublicShell isCentered>
      {state === 'done' ? (
        <div role="status">
          <PageTitle title="No more invitations" />
          <p className="mt-3 text-lead text-ink-2">
            Nobody can invite this address through Tutorlog anymore. We don’t store the address itself.
          </p>
        </div>
      ) : (
        <>
          <PageTitle title="Stop invitations?" />
          <p className="mt-3 text-lead text-ink-2">
            Tutorlog will never send an invitation to your address again, no matter who asks. You don’t need
            an account for this.
          </p>
          <div className="mt-7 grid">
            <Button busy={state === 'sending'} busyText="Sending..." onClick={() => void stop()}>
              Stop invitations
            </Button>
          </div>
        </>
      )}
    </PublicShell>
  )
}
