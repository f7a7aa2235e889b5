// as packages of servers are declared: descriptions in quotes that nobody but us writes
declare namespace files {
    /** “Read a file as text. Any encoding.” The server calls it read-file. */
    function read_file(input: {
        path: string;
        /** “only the last lines” */
        tail?: number;
    }): Promise<{ content: string }>;
    /** “Makes a directory” The server calls it create-directory. */
    function create_directory(input: { path: string; }): Promise<{ content: string }>;
    /** “Moves” “renames” and “more” (version 2.0.1 of it). */
    function move_file(input: { source: string; destination: string; }): Promise<any>;
}
