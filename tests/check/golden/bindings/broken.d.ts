declare namespace broken {
    function list(): Promise<Lst>;
}
