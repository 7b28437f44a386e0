import { createClient } from '@sluice/client';
import { SluiceProvider } from '@sluice/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { VaultList } from './vault-list.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
const client = createClient({ url: location.origin });
createRoot(root).render(
  <StrictMode>
    <SluiceProvider client={client}>
      <VaultList />
    </SluiceProvider>
  </StrictMode>,
);
