import { createClient } from '@sluice/client';
import { SluiceProvider } from '@sluice/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PlanProvider } from './act/plan-context.tsx';
import { WalletProvider } from './act/wallet-context.tsx';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/panel.css';
import './styles/data.css';
import './styles/list.css';
import './styles/search.css';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
const client = createClient({ url: new URL('.', location.href).href });
createRoot(root).render(
  <StrictMode>
    <SluiceProvider client={client}>
      <WalletProvider>
        <PlanProvider>
          <App />
        </PlanProvider>
      </WalletProvider>
    </SluiceProvider>
  </StrictMode>,
);
