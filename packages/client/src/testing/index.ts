export {
  type StartGatewayOptions,
  startGateway,
  type TestAddresses,
  type TestGateway,
  type TestWallet,
} from './start-gateway.ts';
