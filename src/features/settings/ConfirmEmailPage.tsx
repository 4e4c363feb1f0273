import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readLogin } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { ConfirmEmail } from './settings.ts'

/**
 * Opened by the link in an address change email. It requires a button press, because email programs also open
 * links.
 */
export default function ConfirmEmailPage() {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''
  const navigate = useNavigate()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const leave = (outcome: string) => navigate(`${paths.login}?email=${outcome}`, { replace: true })
  const confirm = async () => {
    setIsBusy(true)
    try {
      const { outcome } = await call(ConfirmEmail, { token })
      // Confirming signs out every device, including this one, so this tab needs to reload its login.
      if (outcome === 'done') await readLogin()
      leave(outcome)
    } catch (error) {
      const problem = error instanceof CallFailed ? error.problem : undefined
      if (problem?.code === 'invalid_link') return leave('expired')
      toast.error(
        'Error',
        problem && problem.status < 500 ? problem.title : "That didn't work. Please try again.",
      )
      setIsBusy(false)
    }
  }
  return (
    <PublicShell isCentered>
      <PageTitle title="Confirm the address change?" tabTitle="Confirm your address" />
      <p className="mt-3 text-lead text-ink-2">
        Your account will use the new address once both the old and new addresses are confirmed. If you did
        not ask for this, close this page and nothing will change.
      </p>
      <div className="mt-7 grid">
        <Button busy={isBusy} busyText="Confirming..." onClick={() => void confirm()}>
          Confirm
        </Button>
      </div>
    </PublicShell>
  )
}
